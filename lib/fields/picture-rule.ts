/** What may be uploaded as a picture of a person. */
export const pictureRule = {
  types: ['image/png', 'image/jpeg', 'image/webp'],
  max: 5 * 1024 ** 2,
} as const
