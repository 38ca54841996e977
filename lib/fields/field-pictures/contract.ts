import { z } from 'zod'
import { contract, Done, Id, line } from '@/lib/base/contracts/contract'
import { file, fileAnswer } from '@/lib/base/contracts/file'
import { pictureRule } from '../picture-rule'

/** The code of a field of the type `picture`. */
export const PictureCode = line(64).min(1, 'errorEmpty')

/** The body, the answer and the errors of every call that changes the picture of a field. */
export const pictureChange = {
  snackbar: 'pictureUpdate',
  body: z.strictObject({ file: file(pictureRule) }),
  response: z.strictObject({ fileId: Id }),
  errors: {
    errorPicture: 400,
    errorPicturePixels: 400,
    errorReadOnly: 400,
    notFound: 404,
    errorFileSize: 413,
    errorFileType: 415,
    unavailable: 503,
  },
} as const
export const pictureRemoval = {
  snackbar: 'pictureDelete',
  response: Done,
  errors: { errorReadOnly: 400, notFound: 404 },
} as const

export const readFieldPicture = contract({
  name: 'readFieldPicture',
  method: 'GET',
  path: '/user/pictures/{fileId}',
  summary: 'The picture of a field, as WebP within 320 pixels or within 1600, for those who see the field',
  tag: 'personal',
  access: 'user',
  params: z.strictObject({ fileId: Id }),
  query: z.strictObject({ size: z.enum(['small', 'large']).default('small') }),
  response: fileAnswer({ types: ['image/webp'], disposition: 'inline' }),
  errors: { notFound: 404 },
})
