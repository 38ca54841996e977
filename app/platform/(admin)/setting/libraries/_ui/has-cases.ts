/** Returns whether a text differs by numbers or words. */
export const hasCases = (text: string) => /\{\s*\w+\s*,\s*(plural|selectordinal|select)\s*,/.test(text)
