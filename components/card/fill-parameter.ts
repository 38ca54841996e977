/** The address parameter that names the field to fill in. */
export const fillParameter = 'fill'
