/** Whether a text says different things for different numbers or words. */
export const hasCases = (text: string) => /\{\s*\w+\s*,\s*(plural|selectordinal|select)\s*,/.test(text)
