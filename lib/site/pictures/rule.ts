/** What may be uploaded as a logo or an icon. */
export const logoRule = {
  types: ['image/svg+xml', 'image/png', 'image/jpeg', 'image/webp'],
  max: 2 * 1024 ** 2,
} as const

/** Returns the address of a logo or an icon, on its own domain. */
export const logoAddress = (fileId: string) => `/api/v1/platform/pictures/${fileId}`
