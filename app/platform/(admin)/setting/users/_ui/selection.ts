/** The name of the list of accounts, under which the browser keeps which are chosen. */
export const userSelection = 'users'
