import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { users } from '@/db/schema'
import { userPictures } from '@/db/schema/pictures'
import { deleteAvatar, getAvatar, patchAvatar, readAvatar } from '@/lib/my-account/avatar/contract'
import { getProfile } from '@/lib/my-account/personal/contract'
import { accountClaims } from '@/lib/openid/claims/service'
import { Browser } from '../../factories/browser'
import type { Caller } from '../../factories/caller'
import { lies, samples } from '../../factories/file-samples'
import { ownAccount } from '../../factories/own-account'
import { faultyPictures, fileOf, halves, tellingPicture } from '../../factories/pictures'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { handlerOf } from '../../factories/routes'
import { useTestDatabase } from '../../setup/database'

const read = handlerOf(readAvatar)
const patch = handlerOf(patchAvatar)

useTestDatabase()

const send = (caller: Caller, file: File, crop: object = {}) =>
  caller.browser.send(patch, 'PATCH', { body: { file, ...crop } })

const stored = async (userId: string) =>
  (await db().select().from(userPictures).where(eq(userPictures.userId, userId)))[0]

/** The color of a pixel as red, green and blue. */
async function pixel(bytes: Uint8Array, left: number, top: number) {
  const { data } = await sharp(bytes)
    .extract({ left, top, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [...data]
}

describe('a picture', () => {
  test.each(['png', 'jpeg', 'webp'] as const)('of type %s is stored as two WebP squares', async (format) => {
    const { user, caller } = await ownAccount()
    const { status, body } = await send(caller, fileOf(await halves().toFormat(format).toBuffer(), `image/${format}`))
    expect({ status, body }).toEqual({ status: 200, body: { fileId: expect.any(String) } })
    const row = await stored(user.id)
    expect(row?.id).toBe(body.fileId)
    for (const [bytes, side] of [
      [row?.small, 96],
      [row?.large, 256],
    ] as const)
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: side, height: side })
    expect(await caller.call(getProfile)).toMatchObject({ user: { avatar: body.fileId } })
  })

  test('is cut where the crop says, in the pixels of the upright picture', async () => {
    const { user, caller } = await ownAccount()
    const whole = await halves().png().toBuffer()
    await send(caller, fileOf(whole), { left: 0, top: 0, size: 200 })
    const picture = (await stored(user.id))?.large as Uint8Array
    expect((await pixel(picture, 250, 128))[0]).toBeGreaterThan(200)
    await send(caller, fileOf(whole), { left: 200, top: 0, size: 200 })
    const right = (await stored(user.id))?.large as Uint8Array
    expect((await pixel(right, 5, 128))[2]).toBeGreaterThan(200)
    // turned by its metadata: red is on top then
    const turned = await halves().jpeg().withMetadata({ orientation: 6 }).toBuffer()
    const { status } = await send(caller, fileOf(turned, 'image/jpeg'), { left: 0, top: 0, size: 200 })
    expect(status).toBe(200)
    expect((await pixel((await stored(user.id))?.large as Uint8Array, 128, 250))[0]).toBeGreaterThan(200)
  })

  test.each([
    { left: 1, top: 0, size: 200 + 200 },
    { left: 300, top: 0, size: 101 },
    { left: 0, top: 150, size: 60 },
    { left: 0, size: 60 },
  ])('isn’t cut outside: %j', async (crop) => {
    const { user, caller } = await ownAccount()
    const { status, body } = await send(caller, fileOf(await halves().png().toBuffer()), crop)
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { data: { errorList: [{ field: 'size', code: 'errorRange' }] } },
    })
    expect(await stored(user.id)).toBeUndefined()
  })

  test('keeps no metadata: no place, no author, no profile, no trailing bytes', async () => {
    const { user, caller } = await ownAccount()
    const polyglot = await tellingPicture()
    expect((await send(caller, fileOf(polyglot, 'image/jpeg'))).status).toBe(200)
    const row = await stored(user.id)
    for (const bytes of [row?.small, row?.large]) {
      const { exif: keptExif, xmp, icc, iptc } = await sharp(bytes).metadata()
      expect({ exif: keptExif, xmp, icc, iptc }).toEqual({
        exif: undefined,
        xmp: undefined,
        icc: undefined,
        iptc: undefined,
      })
      expect(bytes?.includes('script')).toBe(false)
      expect(bytes?.includes('Semyon')).toBe(false)
    }
  })

  test('that moves stands still', async () => {
    const { user, caller } = await ownAccount()
    const frames = await Promise.all(
      ['#f00', '#0f0', '#00f'].map((background) =>
        sharp({ create: { width: 64, height: 64, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    )
    const moving = await sharp(frames, { join: { animated: true } })
      .webp({ loop: 0, delay: [50, 50, 50] })
      .toBuffer()
    expect((await sharp(moving, { animated: true }).metadata()).pages).toBe(3)
    expect((await send(caller, fileOf(moving, 'image/webp'))).status).toBe(200)
    const large = (await stored(user.id))?.large as Uint8Array
    expect((await sharp(large, { animated: true }).metadata()).pages ?? 1).toBe(1)
    expect((await pixel(large, 128, 128))[0]).toBeGreaterThan(200)
  })

  test.each(Object.entries(lies))('isn’t %s', async (_, bytes) => {
    const { user, caller } = await ownAccount()
    const { status, body } = await send(caller, fileOf(bytes))
    expect({ status, body }).toMatchObject({
      status: 415,
      body: { data: { errorList: [{ field: 'file', code: 'errorFileType' }] } },
    })
    expect(await stored(user.id)).toBeUndefined()
  })

  test('that is cut off, broken or huge is refused as a whole', async () => {
    const codes = { broken: 'errorPicture', huge: 'errorPicturePixels' }
    for (const [name, make, fault] of faultyPictures) {
      const bytes = await make()
      const { user, caller } = await ownAccount()
      expect(bytes.length, name).toBeLessThan(5 * 1024 ** 2)
      const { status, body } = await send(caller, fileOf(bytes))
      expect({ status, body }, name).toMatchObject({
        status: 400,
        body: { data: { errorList: [{ field: 'file', code: codes[fault] }] } },
      })
      expect(await stored(user.id), name).toBeUndefined()
    }
  })

  test('over 5 MiB is refused with errorFileSize', async () => {
    const { caller } = await ownAccount()
    const noise = new Uint8Array(5 * 1024 ** 2 + 1)
    noise.set(samples['image/png'])
    const { status, body } = await send(caller, fileOf(noise))
    expect({ status, code: (body.data as { errorList: { code: string }[] }).errorList[0]?.code }).toEqual({
      status: 413,
      code: 'errorFileSize',
    })
  })

  test('never crashes the process: random bytes behind a signature are refused or drawn', async () => {
    const { caller } = await ownAccount()
    const png = await halves(40, 20).png().toBuffer()
    const random = caseNumbers(40)
    for (const _ of eachRound(40)) {
      const bytes = Uint8Array.from(png)
      for (let flips = 0; flips < 6; flips++) bytes[8 + random(bytes.length - 8)] = random(256)
      const { status } = await send(caller, fileOf(bytes))
      expect([200, 400, 415]).toContain(status)
    }
  })
})

describe('whose picture it is', () => {
  const bytes = () => halves().png().toBuffer()

  test('another one has another address, and the one before is gone', async () => {
    const { caller } = await ownAccount()
    const first = (await send(caller, fileOf(await bytes()))).body.fileId as string
    const second = (await send(caller, fileOf(await bytes()))).body.fileId as string
    expect(second).not.toBe(first)
    const stranger = new Browser()
    const at = (fileId: string, query = {}) => stranger.send(read, 'GET', { params: { fileId }, query })
    expect((await at(first)).status).toBe(404)
    const { status, headers } = await at(second, { size: 'large' })
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'private, max-age=31536000, immutable',
    })
    await caller.call(deleteAvatar)
    expect((await at(second)).status).toBe(404)
    expect(await caller.call(getAvatar)).toEqual({ fileId: null })
    expect(await caller.call(getProfile)).toMatchObject({ user: { avatar: null } })
  })

  test('two tabs leave one picture, the one that the last answer names or the other', async () => {
    const { user, caller } = await ownAccount()
    const answers = await Promise.all([1, 2, 3, 4].map(async () => send(caller, fileOf(await bytes()))))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const rows = await db().select({ id: userPictures.id }).from(userPictures).where(eq(userPictures.userId, user.id))
    expect(rows).toHaveLength(1)
    expect(answers.map(({ body }) => body.fileId)).toContain(rows[0]?.id)
  })

  test('applications get its address as the claim picture, and lose it with the picture', async () => {
    const { user, caller } = await ownAccount()
    const claims = async () => (await accountClaims(user.id))?.('openid profile', 'x')
    expect((await claims())?.picture).toBeUndefined()
    const { body } = await send(caller, fileOf(await bytes()))
    expect((await claims())?.picture).toMatch(
      new RegExp(`^https?://[^/]+/api/v1/platform/user/avatar/${body.fileId}\\?size=large$`),
    )
    await caller.call(deleteAvatar)
    expect((await claims())?.picture).toBeUndefined()
  })

  test('of a locked profile it stays as it is', async () => {
    const { user, caller } = await ownAccount()
    await db().update(users).set({ isEditable: false }).where(eq(users.id, user.id))
    expect((await send(caller, fileOf(await bytes()))).body.code).toBe('profileReadOnly')
    expect(await stored(user.id)).toBeUndefined()
  })

  test('is nobody’s without a session', async () => {
    const { status } = await new Browser().send(patch, 'PATCH', { body: { file: fileOf(await bytes()) } })
    expect(status).toBe(401)
    expect(patchAvatar.access).toBe('user')
  })
})
