/** How many rows a page of a list may have. */
export const pageSizes = [10, 20, 50, 100] as const
