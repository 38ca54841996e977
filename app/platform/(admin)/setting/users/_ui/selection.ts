/** The name of the list of accounts, under which the browser stores the chosen ones. */
export const userSelection = 'users'
