/** Returns whether a path is that of a page or of a page below it. */
export const isAt = (path: string, href: string) => path === href || path.startsWith(`${href}/`)
