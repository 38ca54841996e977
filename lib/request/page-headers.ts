/**
 * The private headers in which the server process gives a page the token of its forms and the address of the page, and
 * says that it leaves Next's client out.
 */
export const formTokenHeader = 'x-platform-form-token'
export const pathHeader = 'x-platform-path'
export const plainHeader = 'x-platform-plain'
