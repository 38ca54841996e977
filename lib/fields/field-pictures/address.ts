const id = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * Returns the id of the picture that a stored value names; null for any other value, such as a text of an earlier
 * definition.
 */
export const pictureIn = (value: unknown): string | null => (typeof value === 'string' && id.test(value) ? value : null)

/** Returns the address of a field's picture, within 320 pixels or within 1600 (`large`). */
export const fieldPictureAddress = (fileId: string, size: 'small' | 'large' = 'small') =>
  `/api/v1/platform/user/pictures/${fileId}${size === 'large' ? '?size=large' : ''}`
