// Minor units to text. Whole numbers all the way: a float never touches an amount.

const GROUPS = { en: ",", pl: "\u00a0" };
const POINTS = { en: ".", pl: "," };

export function groups(digits, language) {
  return digits.replace(/\B(?=(\d{3})+$)/g, GROUPS[language] ?? GROUPS.en);
}

/** 1250, 2 -> "12.50"; 120000, 2 -> "1,200": the fraction shows only where there is one. */
export function money(minor, exponent = 0, language = "en") {
  if (!Number.isSafeInteger(minor)) return "–";
  const digits = String(Math.abs(minor)).padStart(exponent + 1, "0");
  const whole = digits.slice(0, digits.length - exponent);
  const fraction = exponent ? digits.slice(-exponent) : "";
  const tail = /[1-9]/.test(fraction) ? (POINTS[language] ?? POINTS.en) + fraction : "";
  return (minor < 0 ? "\u2212" : "") + groups(whole, language) + tail;
}

export function range(least, most, exponent, language) {
  const from = money(least, exponent, language);
  return least === most ? from : `${from}–${money(most, exponent, language)}`;
}

/** The denominations that make up an amount, greatest first, at most `most` of them. */
export function chips(minor, exponent = 0, most = 7) {
  const unit = 10 ** exponent;
  const found = [];
  let rest = Math.floor(minor / unit);
  for (const value of [1000, 500, 100, 25, 5, 1]) {
    while (rest >= value && found.length < most) {
      found.push(value);
      rest -= value;
    }
  }
  return found;
}
