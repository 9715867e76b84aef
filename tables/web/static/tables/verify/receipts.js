// The receipts a browser was given for its seeds, kept by the browser itself: a house that leaves
// one out of a hand's proof is found out by them.

const KEPT_MOST = 300; // of each table, some hours of play

const nameOf = (table) => `croupier.receipts.${table}`;

export function keptReceipts(table, store = globalThis.localStorage) {
  try {
    const found = JSON.parse(store.getItem(nameOf(table)));
    return Array.isArray(found) ? found : [];
  } catch {
    return []; // private windows may keep nothing, and what is no JSON is none of ours
  }
}

/** Keeps a receipt, in place of the same one of before its seed was opened. */
export function keepReceipt(table, receipt, store = globalThis.localStorage) {
  const others = keptReceipts(table, store).filter((one) => one.commitment !== receipt.commitment);
  try {
    store.setItem(nameOf(table), JSON.stringify([...others, receipt].slice(-KEPT_MOST)));
  } catch {
    // Then the receipts of the proof itself have to do.
  }
}
