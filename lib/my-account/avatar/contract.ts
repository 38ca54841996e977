import { z } from 'zod'
import { contract, Done, Id } from '@/lib/base/contracts/contract'
import { file, fileAnswer } from '@/lib/base/contracts/file'
import { pictureRule } from '@/lib/fields/picture-rule'

const [tag, path] = ['personal', '/user/avatar'] as const
const Pixels = z.coerce
  .number({ error: 'errorFormat' })
  .int('errorFormat')
  .min(0, 'errorRange')
  .max(65_535, 'errorRange')

export const getAvatar = contract({
  name: 'getAvatar',
  method: 'GET',
  path,
  summary: 'The id of the person’s picture; null without one',
  tag,
  access: 'user',
  response: z.strictObject({ fileId: Id.nullable() }),
})

export const patchAvatar = contract({
  name: 'patchAvatar',
  method: 'PATCH',
  path,
  summary:
    'Replaces the person’s picture. left, top and size name a square of the upright picture; without them it is the middle',
  tag,
  access: 'user',
  snackbar: 'avatarUpdate',
  body: z.strictObject({
    file: file(pictureRule),
    left: Pixels.optional(),
    top: Pixels.optional(),
    size: Pixels.min(1, 'errorRange').optional(),
  }),
  response: z.strictObject({ fileId: Id }),
  errors: {
    errorPicture: 400,
    errorPicturePixels: 400,
    errorRange: 400,
    profileReadOnly: 403,
    errorFileSize: 413,
    errorFileType: 415,
    unavailable: 503,
  },
})

export const deleteAvatar = contract({
  name: 'deleteAvatar',
  method: 'DELETE',
  path,
  summary: 'Removes the person’s picture; its address answers 404 from then on',
  tag,
  access: 'user',
  snackbar: 'avatarDelete',
  response: Done,
  errors: { profileReadOnly: 403, notFound: 404 },
})

/** Public: applications show the picture on their own pages. Nobody can guess an id, and nothing lists ids. */
export const readAvatar = contract({
  name: 'readAvatar',
  method: 'GET',
  path: '/user/avatar/{fileId}',
  summary: 'The picture with this id, as WebP of 96 pixels or of 256',
  tag,
  access: 'public',
  params: z.strictObject({ fileId: Id }),
  query: z.strictObject({ size: z.enum(['small', 'large']).default('small') }),
  response: fileAnswer({ types: ['image/webp'], disposition: 'inline', lasting: true, anywhere: true }),
  errors: { notFound: 404 },
})
