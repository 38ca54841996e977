/** The parameter of an address that names the field which the person came to fill in. */
export const fillParameter = 'fill'
