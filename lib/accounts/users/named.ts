/** Up to how many roles and contractors a card of an account names and takes. */
export const namedAtMost = 200
