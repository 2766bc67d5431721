// What a tab and a browser remember. Where storage is not allowed, it lasts as long as the page.

/** @param {() => Storage} storage asking for it throws where it is not allowed */
function memory(storage) {
  const page = new Map();
  return {
    /** @param {string} key @returns {string | null} */
    recall(key) {
      try {
        return storage().getItem(key);
      } catch {
        return page.get(key) ?? null;
      }
    },
    /** @param {string} key @param {string | null} value null to forget it */
    keep(key, value) {
      try {
        if (value === null) storage().removeItem(key);
        else storage().setItem(key, value);
      } catch {
        page.set(key, value);
      }
    },
  };
}

export const tab = memory(() => sessionStorage);
export const browser = memory(() => localStorage);
