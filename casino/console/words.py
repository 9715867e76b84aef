"""Words that other parts of the house and the console's library say in English alone.

Named here so that the catalogue has them; `say(...)` of the very word finds its translation.
"""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

# States, roles, accounts: labels of models.
STATES = (
    _("Draft"), _("Open"), _("Paused"), _("Stopped"), _("Draining"), _("Closed"), _("Finished"),
    _("Settled"), _("Voided"), _("Asked"), _("Approved"), _("Rejected"), _("Expired"),
    _("Executed"), _("Priced"), _("Refused"), _("Waiting"), _("Running"), _("Done"), _("Failed"),
    _("Sent"), _("Given up"), _("Active"), _("Committed"), _("Used"), _("Void"), _("New"),
    _("New: identity not verified"), _("Verified"), _("Dormant"), _("settled"), _("voided"),
    _("Unconfirmed"), _("Suspended"), _("Blocked"), _("Mail"), _("Webhook"),
)  # fmt: skip
ROLES = (
    _("Player"), _("Dealer"), _("Floor"), _("Pit manager"), _("Cage"), _("Finance"),
    _("Surveillance"), _("Compliance"), _("Game maths"), _("Administrator"), _("dealer"),
    _("floor"), _("pit manager"), _("cage"), _("finance"), _("surveillance"), _("compliance"),
    _("game maths"), _("admin"),
)  # fmt: skip
ACCOUNTS = (
    _("Cash"), _("Bonus"), _("Awaiting confirmation"), _("Owed by the player"),
    _("Chips at a table"), _("Stakes in play"), _("Table bank"), _("Rake"), _("Drop"),
    _("Jackpot"), _("House revenue"), _("Adjustments"), _("Currency exchange"),
    _("Earned by exchange"), _("At the operator's wallet"), _("Tips"),
)  # fmt: skip

# Kinds of entries of the log, and what they are about.
LOG = (
    _("table: opened"), _("table: changed"), _("table: revised"), _("table: scheduled"),
    _("table: open"), _("table: paused"), _("table: stopped"), _("table: draining"),
    _("table: closed"), _("template: saved"), _("game: composed"), _("job: asked"),
    _("hand: voided"), _("hand: reversed"), _("hand: cards seen"), _("house: stopped"),
    _("house: went on"), _("paytable: drafted"), _("paytable: changed"), _("paytable: priced"),
    _("paytable: approved"), _("paytable: in force"), _("paytable: shipped"),
    _("approval: asked"), _("approval: approved"), _("approval: rejected"),
    _("approval: expired"), _("approval: executed"), _("sign in: done"), _("sign in: refused"),
    _("sign in: stepped up"), _("second factor: on"), _("second factor: off"),
    _("second factor: refused"), _("second factor: recovered"), _("second factor: codes made"),
    _("user: viewed"), _("user: changed"), _("user: added"), _("user: registered"),
    _("user: password set"), _("user: seeded"), _("player: noted"), _("token: issued"),
    _("token: revoked"), _("device: enrolled"), _("device: moved"), _("device: revoked"),
    _("report: exported"), _("day: closed"), _("alert: acknowledged"), _("alert: large win"),
    _("alert: clock drift"), _("alert: receiver added"), _("alert: receiver switched"),
    _("alert: sent again"), _("files: altered"), _("files: accepted"), _("cut: published"),
    _("cut: listed"), _("cut: ended"), _("cash: case"), _("cash: case closed"),
    _("house: fault"), _("house: silent"), _("limits: reached"), _("alert: large wager"),
    _("bonus: granted"), _("bonus: ended"), _("limits: changed"), _("policy: changed"),
    _("reconciliation: difference"), _("entropy: failed"), _("log: altered"),
    _("cage: deposit"), _("cage: withdrawal"), _("composition: trial"), _("report: tables"),
    _("report: hands"), _("day: count"), _("day: close"),
    _("table"), _("hand"), _("user"), _("approval"), _("paytable"), _("composition"), _("job"),
    _("house"), _("template"), _("day"), _("report"), _("alert"), _("device"), _("receiver"),
    _("reason"), _("version"), _("fields"), _("failures"), _("locked"), _("rows"), _("as"),
    _("kind"), _("subject"), _("asked by"), _("asked sha256"), _("game"), _("currency"),
    _("opens"), _("closes"), _("on"), _("by"), _("begins"), _("ends"), _("names"), _("count"),
    _("seat"), _("won minor"), _("milliseconds"), _("base"),
)  # fmt: skip

MORE_OF_THE_LOG = (
    _("band: set"), _("bets: closed early"), _("bonus: weight"), _("cash: threshold"),
    _("dealer: pin given"), _("dealer: pin refused"), _("device: claimed"),
    _("device: code made"), _("device: set"), _("exchange: rate"), _("floor: answered"),
    _("floor: called"), _("hand: flagged"), _("hand: reported"), _("jackpot: hit"),
    _("jackpot: led again"), _("jackpot: locked"), _("jackpot: opened"), _("jackpot: paid"),
    _("jackpot: refused"), _("jackpot: terms"), _("limit: reached"), _("operator: player"),
    _("pairs: reported"), _("payouts: confirmed"), _("schedule: refused"), _("shift: back"),
    _("shift: began"), _("shift: break"), _("shift: ended"), _("sign in: ended"),
    _("stream: sealed"), _("table: bomb pot"), _("table: feeds"), _("watching: read"),
    _("webhook: added"), _("webhook: secret changed"), _("webhook: sent again"),
    _("webhook: switched"), _("payments: difference"), _("stream"), _("pairs"), _("tab"),
    _("token"), _("scopes"), _("jackpot"), _("webhook"), _("entries"), _("root"), _("player"),
    _("policy"), _("band"), _("case"), _("total"), _("way"), _("action"),
    _("tips: brought"), _("tips: paid"),
)  # fmt: skip

# Kinds of transfers, and whose accounts they move.
TRANSFERS = (
    _("settle"), _("stake"), _("unstake"), _("buy in"), _("cash out"), _("sweep"),
    _("adjustment"), _("reversal"), _("bonus grant"), _("time collection"), _("repayment"),
    _("play money"), _("jackpot seed"), _("jackpot award"), _("exchange"), _("cash"), _("bonus"),
    _("pending"), _("receivable"), _("in play"), _("bank"), _("rake"), _("drop"), _("revenue"),
    _("adjustments"), _("operator"), _("spread"), _("tip"), _("tips paid"), _("tips"),
)  # fmt: skip

# Steps of a hand, as the replay and the picture of stacks name them.
STEPS = (
    _("hand opened"), _("ante posted"), _("blind posted"), _("bring in posted"), _("called"),
    _("checked"), _("folded"), _("bet"), _("raised"), _("completed"), _("uncalled returned"),
    _("pot awarded"), _("hand over"), _("hand settled"), _("hand voided"), _("cards dealt"),
    _("board dealt"), _("cards shown"), _("turn opened"), _("drew"), _("discarded"),
    _("straddle posted"), _("time collected"), _("spot settled"), _("bet placed"), _("decided"),
    _("dealer revealed"), _("bets closed"), _("ante paid"), _("roots published"),
    _("seeds listed"), _("decks cut"), _("street opened"), _("button drawn"),
)  # fmt: skip

MORE_STEPS = (
    _("arranged"), _("bet cleared"), _("bid made"), _("card offered"), _("cards drawn"),
    _("cards passed"), _("cards rolled"), _("carried pot shared"), _("challenge settled"),
    _("challenged"), _("choice opened"), _("clock set"), _("clock started"), _("clocks held"),
    _("cut void"), _("deal killed"), _("dealer back"), _("dealer break"), _("dealer not needed"),
    _("dealer off"), _("dealer on"), _("declarations shown"), _("declared"), _("dice passed"),
    _("dice rolled"), _("dice shown"), _("die lost"), _("die rolled"), _("draw announced"),
    _("floor answered"), _("floor called"), _("game accepted"), _("game changed"),
    _("game declined"), _("game dropped"), _("game named"), _("hand called"), _("hand mucked"),
    _("hand reversed"), _("hand shown"), _("high hand led"), _("jackpot hit"), _("jackpot moved"),
    _("jackpot paid"), _("jackpot refused"), _("life lost"), _("lot drawn"), _("misdeal ruled"),
    _("muck reshuffled"), _("must move"), _("no more bets"), _("offer answered"),
    _("openers shown"), _("pass chosen"), _("passed out"), _("pot carried"), _("protected"),
    _("rabbit shown"), _("run answered"), _("runs agreed"), _("seat called"), _("seat changed"),
    _("seat left"), _("seat moved"), _("seat out"), _("seat reserved"), _("seat taken"),
    _("specials changed"), _("spit called"), _("table changed"), _("top up refused"), _("help"),
    _("dispute"), _("chips"), _("void"),
)  # fmt: skip

# What stands beside a step of a hand, and why a dealer calls.
BESIDE = (
    _("amount"), _("stack"), _("small"), _("big"), _("carry"), _("down"), _("purpose"), _("deal"),
    _("mode"), _("decks"), _("cut"), _("why"), _("since"), _("call"), _("to"), _("ante"),
    _("finished"), _("Help"), _("Dispute"), _("Fill or credit"), _("Void the hand"),
)  # fmt: skip

# Seats, decks, hits of jackpots, kinds of limits.
STANDS = (
    _("Playing"), _("Sitting Out"), _("Leaving"), _("Listed"), _("Dealt"), _("Opened"),
    _("Bad beat"), _("High hand"), _("loss"), _("time"),
)  # fmt: skip

# What a screen is, how cash moves, and the hands that a paytable pays.
SCREENS = (_("Dealer display"), _("Dealer console"), _("Floor board"))
CASH = (_("deposit"), _("withdrawal"), _("float"))
CASES = (
    _("Paid in"), _("Paid out"), _("At the tables"), _("Over the threshold"),
    _("Sums kept just under it"), _("In and out with hardly any play"),
    _("Chips passed to another player"), _("Reported"), _("Needs no report"),
)  # fmt: skip
SEALED = (_("log"), _("transfers"))
PAID_HANDS = (
    _("royal flush"), _("mini royal"), _("straight flush"), _("four of a kind"), _("full house"),
    _("flush"), _("straight"), _("three of a kind"), _("pair"),
    _("high card"), _("two pair"), _("five of a kind"),
)  # fmt: skip

# What is kept as JSON, as records show it: of hands, tables, paytables and reconciliations.
KEPT = (
    _("awards"), _("eligible"), _("nets"), _("pots"), _("showdown"), _("stacks"), _("preflop"),
    _("flop"), _("turn"), _("river"), _("chance"), _("element of risk"), _("exceptions"),
    _("hit frequency"), _("house edge"), _("line"), _("lines"), _("pays"), _("paytables"),
    _("played"), _("hands played"), _("hands"), _("return"), _("standard deviation"),
    _("strategy"), _("threshold"), _("variance"), _("words"), _("worst case units"),
    _("buy in least"), _("buy in most"), _("certified"), _("decks per hand"), _("max seats"),
    _("min players"), _("options"), _("pit"), _("reveal ms"), _("time fee"),
    _("time fee every s"), _("timing"), _("small blind"), _("big blind"), _("limit"),
    _("no limit"), _("fixed"), _("chip"), _("minor"), _("roots"), _("accounts"), _("name"),
    _("tables"), _("nothing"), _("limits"), _("least"), _("most"), _("step"), _("settled"),
    _("returned"), _("staked"), _("meter"), _("before"), _("after"), _("contributed"), _("paid"),
    _("spots"), _("wagers"), _("boards"), _("shown"), _("rake bp"), _("cap"), _("odds"),
    _("runs"), _("cards"), _("die"), _("zone"), _("read"), _("play"), _("money"), _("level"),
    _("differs"),
)  # fmt: skip
ASKED = (
    _("wallet: adjustment"), _("wallet: bonus"), _("wallet: unblock"), _("limit: override"),
    _("hand: void"), _("hand: secret view"), _("paytable: activation"), _("jackpot: award"),
    _("jackpot: change"), _("tips: payout"), _("user: role"), _("post"), _("street"),
    _("unnamed"),
)  # fmt: skip
CHECKS = (
    _("trial balance is zero"), _("accounts equal their legs"),
    _("held seats are those of open hands"), _("in play are open rounds and carried pots"),
    _("every settled hand moved what it says"), _("every settlement is of a settled hand"),
    _("jackpots equal their meters"),
)  # fmt: skip

# The library's own strings, which it ships in English alone.
LIBRARY = (
    _("Select action"), _("Select action to run"), _("Select record"), _("Date"),
    _("Time"),
    _(
        "Raw passwords are not stored, so there is no way to see this user’s password, but you can"
        ' change the password using <a href="{}" class="text-primary-600 dark:text-primary-500">'
        "this form</a>."
    ),
    _("After you've created a user, you’ll be able to edit more user options."),
    _("Search apps and models..."), _("Type to search"), _("Filter navigation items"),
    _("Recent searches"), _("No recent searches"), _("No results found"),
    _("No results matching your query"), _("Loading more results..."), _("Go back"),
    _("Light"), _("Dark"), _("System"), _("Run"), _("Filters"), _("Reset filters"),
    _("Show counts"), _("Hide counts"), _("Clear selection"), _("Objects"), _("General"),
    _("Previous"), _("Next"), _("More actions"), _("Run the selected action"),
    _("Save and view"), _("Welcome back to"), _("Return to site"), _("View site"),
    _("Toggle password visibility"), _("Choose file to upload"), _("No data"), _("Submit"),
    _("Expand row"), _("Record picture"), _("Unknown"), _("True"), _("False"), _("Summary"),
    _("Yes, I’m sure"), _("No, take me back"), _("Select value"), _("Select all rows"),
    _("You don’t have permission to view or edit anything."), _("Image preview"),
    _("This page yielded into no results. Create a new item or reset your filters."),
    _("You have been successfully logged out from the administration"), _("Search"),
    _("This item will be deleted."), _("Language"), _("Actions"), _("Choose"),
)  # fmt: skip
