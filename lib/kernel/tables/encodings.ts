/** How a text may be written, by the names of the WHATWG. */
export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1251', 'windows-1252'] as const
export type Encoding = (typeof encodings)[number]
