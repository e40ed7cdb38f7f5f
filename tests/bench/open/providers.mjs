/** A response with up to 5,000 providers, and how many of them each key of a search finds. */

const BRANDS = [
  "Hazel", "Bluefin", "Cobalt", "Dovetail", "Elmwood", "Foxglove", "Granite", "Harbor", "Indigo", "Juniper", "Keystone", "Lakeside",
  "Mistral", "Nimbus", "Orchid", "Pinnacle", "Quartz", "Redwood", "Sandpiper", "Thistle", "Umbra", "Velvet", "Willow", "Xenon", "Yonder",
];
const TRADES = ["Bank", "City", "Foods", "Gigs", "Health", "Jobs", "Logistics", "Mills", "Payroll", "Works"];
const PLACES = 20;
const KINDS = ["EMPLOYER", "GIG", "GOVERNMENT", "PAYROLL"];
/** No other word of a name is one typo away from it, which the widget would also find. */
const WORD = "harbor";

const names = BRANDS.flatMap((brand) => TRADES.flatMap((trade) => Array.from({ length: PLACES }, (_, at) => `${brand} ${trade} ${at + 1}`)));
// Steps of a prime number through the names put them in no order, as a source lists them.
const STEP = 3_011;

const items = names.map((_, at) => {
  const number = (at * STEP) % names.length;
  const name = names[number];
  return {
    id: `bench_${number}`,
    name,
    longName: name,
    logoUrl: null,
    type: KINDS[number % KINDS.length],
    country: "MX",
    enabled: true,
    loginRequired: true,
    searchKey: name.toLowerCase(),
  };
});

/**
 * Returns the response's body in base64, and the keys of a search with the number of providers that each finds. The first entry is
 * the list before the first key.
 */
export function providers(count) {
  const offered = items.slice(0, count);
  const found = (typed) => offered.filter(({ searchKey }) => searchKey.includes(WORD.slice(0, typed))).length;
  return {
    body: Buffer.from(JSON.stringify({ items: offered, nextCursor: null })).toString("base64"),
    keys: Array.from({ length: WORD.length + 1 }, (_, typed) => ({ key: WORD[typed - 1], found: found(typed) })),
  };
}
