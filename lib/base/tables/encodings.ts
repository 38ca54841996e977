/** The encodings of a text file, by the names of the WHATWG. */
export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1251', 'windows-1252', 'ibm866', 'koi8-r'] as const
export type Encoding = (typeof encodings)[number]

/** Returns the name by which people know an encoding. */
export const encodingName = (encoding: Encoding) => (encoding === 'ibm866' ? 'CP866' : encoding.toUpperCase())
