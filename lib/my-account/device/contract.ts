import { z } from 'zod'
import { contract, Done } from '@/lib/base/contracts/contract'

/** Width and height in CSS pixels, such as 1920x1080. */
const Size = z.string({ error: 'errorEmpty' }).regex(/^[1-9]\d{0,4}x[1-9]\d{0,4}$/, 'errorFormat')

export const reportDevice = contract({
  name: 'reportDevice',
  method: 'POST',
  path: '/user/profile/device',
  summary: 'Reports the screen of this session',
  tag: 'personal',
  access: 'user',
  snackbar: 'deviceInfo',
  body: z.strictObject({
    displaySize: Size,
    displayWindowSize: Size,
    /** Device pixels per CSS pixel. */
    displayZoom: z.number().min(0.1, 'errorRange').max(10, 'errorRange'),
  }),
  response: Done,
})
