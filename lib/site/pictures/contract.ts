import { z } from 'zod'
import { contract, Done, Id } from '@/lib/base/contracts/contract'
import { file, fileAnswer } from '@/lib/base/contracts/file'
import { logoRule } from './rule'

/** The common part of contracts that replace a logo or an icon; each adds its name, path, access and snackbar. */
export const logoChange = {
  body: z.strictObject({ file: file(logoRule) }),
  response: z.strictObject({ fileId: Id }),
  errors: {
    errorPicture: 400,
    errorPictureLarge: 400,
    errorPicturePixels: 400,
    errorPictureStyles: 400,
    notFound: 404,
    errorFileSize: 413,
    errorFileType: 415,
    unavailable: 503,
  },
} as const
export const logoRemoval = { response: Done, errors: { notFound: 404 } } as const

/** Public: sign-in pages show logos. An SVG is never shown as a page of its own, and nothing in it runs. */
export const readLogo = contract({
  name: 'readLogo',
  method: 'GET',
  path: '/pictures/{fileId}',
  summary: 'The logo or icon with this id: SVG, or WebP within 320 pixels',
  tag: 'start-up',
  access: 'public',
  params: z.strictObject({ fileId: Id }),
  response: fileAnswer({ types: ['image/webp', 'image/svg+xml'], lasting: true }),
  errors: { notFound: 404 },
})
