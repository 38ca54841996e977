/** Returns the address of a person's picture of 96 pixels, or of 256 (`large`), on its own domain. */
export const pictureAddress = (fileId: string, size: 'small' | 'large' = 'small') =>
  `/api/v1/platform/user/avatar/${fileId}${size === 'large' ? '?size=large' : ''}`
