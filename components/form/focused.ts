/** For the field that a page or step opens with: the browser puts the focus there, before any script too. */
export const focused = { autoFocus: true }
