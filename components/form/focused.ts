/** For the field with which a page or step opens: the browser focuses it before any script runs. */
export const focused = { autoFocus: true }
