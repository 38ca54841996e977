/** The private headers in which the server process gives a page the token of its forms, and the address of the page. */
export const formTokenHeader = 'x-platform-form-token'
export const pathHeader = 'x-platform-path'
