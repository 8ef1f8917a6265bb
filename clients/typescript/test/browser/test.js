// As much of node:test as the tests use, for a page.
const tests = [];

export const test = (name, body) => tests.push({ name, body });

/** What went wrong with each test, by name; null where nothing did. */
export async function run() {
  const results = {};
  for (const { name, body } of tests) {
    results[name] = await Promise.resolve().then(body).then(() => null, (error) => `${error}\n${error?.stack}`);
  }
  return results;
}
