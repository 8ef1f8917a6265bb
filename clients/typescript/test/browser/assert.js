// As much of node:assert/strict as the tests use, for a page.
const shown = (value) => JSON.stringify(value);

function ok(value, told = `${shown(value)} is not true`) {
  if (!value) throw new Error(told);
}

function same(one, other) {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return Object.is(one, other);
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => name in other && same(one[name], other[name]));
}

/** Whether an error is what was expected: of a class, passed by a function, or with these fields. */
function check(error, wanted) {
  if (wanted === undefined) return;
  if (typeof wanted === "function") {
    return ok(wanted.prototype instanceof Error || wanted === Error ? error instanceof wanted : wanted(error) === true, `another error: ${error}`);
  }
  for (const [name, value] of Object.entries(wanted)) {
    ok(value instanceof RegExp ? value.test(error[name]) : same(error[name], value), `${name} is ${shown(error[name])}, not ${value}`);
  }
}

function throws(call, wanted) {
  try {
    call();
  } catch (error) {
    return check(error, wanted);
  }
  ok(false, "nothing was thrown");
}

async function rejects(asked, wanted) {
  try {
    await (typeof asked === "function" ? asked() : asked);
  } catch (error) {
    return check(error, wanted);
  }
  ok(false, "nothing was rejected");
}

export default {
  ok,
  throws,
  rejects,
  equal: (one, other) => ok(Object.is(one, other), `${shown(one)} is not ${shown(other)}`),
  deepEqual: (one, other) => ok(same(one, other), `${shown(one)} is not ${shown(other)}`),
  match: (text, pattern) => ok(pattern.test(text), `${shown(text)} has no ${pattern}`),
};
