import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { contractors, dynamicFields, fieldPictures, users } from '@/db/schema'
import { dropCached, invalidate } from '@/lib/base/cache/cache'
import { turnsPerDay } from '@/lib/base/postgres/batches'
import {
  deleteContractorPicture,
  mergeContractors,
  patchContractorPicture,
  readContractor,
} from '@/lib/companies/contractors/contract'
import { readFieldPicture } from '@/lib/fields/field-pictures/contract'
import { tidyFieldPictures } from '@/lib/fields/field-pictures/service'
import {
  configureProfile,
  deleteProfilePicture,
  patchProfilePicture,
  readProfileDetails,
  updateProfile,
} from '@/lib/my-account/personal/contract'
import { accountClaims } from '@/lib/openid/claims/service'
import { getProfileHistory } from '@/lib/operations/own-history/contract'
import { compose } from '@/lib/wiring/compose'
import { signedInWith } from '../../factories/access'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { createContractor, join } from '../../factories/companies'
import { defineField } from '../../factories/fields'
import { lies, samples } from '../../factories/file-samples'
import { ownAccount } from '../../factories/own-account'
import { faultyPictures, fileOf, halves, tellingPicture } from '../../factories/pictures'
import { handlerOf } from '../../factories/routes'
import { useTestDatabase } from '../../setup/database'

const read = handlerOf(readFieldPicture)

useTestDatabase()
beforeAll(() => compose())

const pictureField = (wishes: object = {}) => defineField({ fieldType: 'picture', ...wishes })
const png = () => halves().png().toBuffer()
const put = async (caller: Caller, code: string, file?: File) =>
  caller.send(patchProfilePicture, { params: { code }, body: { file: file ?? fileOf(await png()) } })
const uploaded = async (caller: Caller, code: string) => (await put(caller, code)).body.fileId as string
const removed = (caller: Caller, code: string) => caller.send(deleteProfilePicture, { params: { code } })
const look = (browser: Browser, fileId: string, query: Record<string, string> = {}) =>
  browser.send(read, 'GET', { params: { fileId }, query })
const faultOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => {
  const { errorList = [] } = (body.data ?? {}) as { errorList?: { field: string; code: string }[] }
  return [status, errorList[0]?.field, errorList[0]?.code]
}
const rowsOf = (userId: string) => db().select().from(fieldPictures).where(eq(fieldPictures.userId, userId))
const valuesOf = async (id: string) => (await db().select().from(users).where(eq(users.id, id)))[0]?.values
const setField = async (code: string, wishes: Partial<typeof dynamicFields.$inferInsert>) => {
  await db().update(dynamicFields).set(wishes).where(eq(dynamicFields.code, code))
  await invalidate(db(), 'dynamic-fields')
  dropCached('dynamic-fields')
}

describe('the picture in a field of the own profile', () => {
  test('is drawn anew as a whole, shown, replaced and removed; the one before is gone at once', async () => {
    const { user, caller } = await ownAccount()
    const code = await pictureField()
    const first = await uploaded(caller, code)
    const { additionalInfo } = await caller.call(readProfileDetails)
    expect(additionalInfo[code]).toBe(first)
    const [row] = await rowsOf(user.id)
    expect(await sharp(row?.small).metadata()).toMatchObject({ format: 'webp', width: 320, height: 160 })
    // a small one isn't blown up
    expect(await sharp(row?.large).metadata()).toMatchObject({ format: 'webp', width: 400, height: 200 })
    const { status, headers } = await look(caller.browser, first, { size: 'large' })
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
      'cache-control': expect.stringContaining('no-store'),
    })
    const wide = await halves(3_000, 500).jpeg().toBuffer()
    const second = (await put(caller, code, fileOf(wide, 'image/jpeg'))).body.fileId as string
    expect(await sharp((await rowsOf(user.id))[0]?.large).metadata()).toMatchObject({ width: 1600, height: 267 })
    expect((await look(caller.browser, first)).status).toBe(404)
    expect((await look(caller.browser, second)).status).toBe(200)
    expect((await removed(caller, code)).status).toBe(200)
    expect((await look(caller.browser, second)).status).toBe(404)
    expect([await rowsOf(user.id), await valuesOf(user.id)]).toEqual([[], {}])
    expect((await removed(caller, code)).status).toBe(404)
  })

  test('tells the history that it changed, and nobody its id; applications get none', async () => {
    const { user, caller } = await ownAccount()
    const code = await pictureField({ integrationRequired: true })
    const ids = [await uploaded(caller, code), await uploaded(caller, code)]
    const claims = await accountClaims(user.id)
    expect((await claims?.('openid profile fields', 'none'))?.fields ?? {}).toEqual({})
    await removed(caller, code)
    const { acts } = await caller.call(getProfileHistory, { query: {} })
    const diffs = acts.flatMap(({ changes }) => changes.filter(({ title }) => title === `Поле ${code}`))
    expect(diffs.map(({ diff }) => diff)).toEqual(['removed', 'changed', 'set'].map((act) => ({ kind: 'secret', act })))
    for (const id of ids) expect(JSON.stringify(acts)).not.toContain(id)
  })

  test('keeps no metadata and nothing that stood behind it', async () => {
    const { user, caller } = await ownAccount()
    const file = fileOf(await tellingPicture(), 'image/jpeg')
    expect((await put(caller, await pictureField(), file)).status).toBe(200)
    const [row] = await rowsOf(user.id)
    for (const bytes of [row?.small, row?.large]) {
      const { exif, xmp, icc, iptc } = await sharp(bytes).metadata()
      expect({ exif, xmp, icc, iptc }).toEqual({ exif: undefined, xmp: undefined, icc: undefined, iptc: undefined })
      for (const secret of ['script', 'Semyon', 'PK']) expect(bytes?.includes(secret)).toBe(false)
    }
  })

  test('is no SVG, no page, no archive and nothing else', async () => {
    const { user, caller } = await ownAccount()
    const code = await pictureField()
    for (const [name, bytes] of Object.entries(lies))
      expect(faultOf(await put(caller, code, fileOf(bytes))), name).toEqual([415, 'file', 'errorFileType'])
    const noise = new Uint8Array(5 * 1024 ** 2 + 1)
    noise.set(samples['image/png'])
    expect(faultOf(await put(caller, code, fileOf(noise)))).toEqual([413, 'file', 'errorFileSize'])
    expect([await rowsOf(user.id), await valuesOf(user.id)]).toEqual([[], {}])
  })

  test('is refused as a whole if it is cut off, broken or has 100 megapixels, and the one before stays', async () => {
    const { user, caller } = await ownAccount()
    const code = await pictureField()
    const before = await uploaded(caller, code)
    // each kind that the own picture refuses is tried there
    const kinds = { 'a JPEG that ends early': 'errorPicture', '100 megapixels in a few bytes': 'errorPicturePixels' }
    for (const [name, fault] of Object.entries(kinds)) {
      const [, make] = faultyPictures.find(([each]) => each === name) ?? []
      expect(faultOf(await put(caller, code, fileOf((await make?.()) as Uint8Array))), name).toEqual([
        400,
        'file',
        fault,
      ])
    }
    expect((await rowsOf(user.id)).map(({ id }) => id)).toEqual([before])
    expect((await look(caller.browser, before)).status).toBe(200)
  })

  test('is changed only where the flags allow it, and by no other call', async () => {
    const { user, caller } = await ownAccount()
    const ownCode = await pictureField()
    const otherFile = await uploaded((await ownAccount()).caller, ownCode)
    const hidden = await pictureField({ profileVisible: false, profileEdit: false })
    const readOnly = await pictureField({ profileEdit: false })
    const text = await defineField()
    for (const code of [hidden, text, 'firstName', 'constructor', '__proto__', randomUUID()]) {
      expect((await put(caller, code)).status, code).toBe(404)
      expect((await removed(caller, code)).status, code).toBe(404)
    }
    expect(faultOf(await put(caller, readOnly))).toEqual([400, 'code', 'errorReadOnly'])
    expect(faultOf(await removed(caller, readOnly))).toEqual([400, 'code', 'errorReadOnly'])
    const now = await rowsOf(user.id)
    for (const empty of ['', null])
      expect((await caller.send(updateProfile, { body: { additionalInfo: { [ownCode]: empty } } })).status).toBe(200)
    expect(await rowsOf(user.id)).toEqual(now)
    for (const value of [otherFile, true, [otherFile]]) {
      const answer = await caller.send(updateProfile, { body: { additionalInfo: { [ownCode]: value } } })
      expect(faultOf(answer)).toEqual([400, `additionalInfo.${ownCode}`, 'errorReadOnly'])
    }
    await setField(ownCode, { profileRequired: true })
    const mine = await uploaded(caller, ownCode)
    expect(faultOf(await removed(caller, ownCode))).toEqual([400, 'code', 'errorEmpty'])
    await db().update(users).set({ isEditable: false }).where(eq(users.id, user.id))
    expect(await put(caller, ownCode)).toMatchObject({ status: 403, body: { code: 'profileReadOnly' } })
    await setField(ownCode, { profileRequired: false })
    expect(await removed(caller, ownCode)).toMatchObject({ status: 403, body: { code: 'profileReadOnly' } })
    expect(await valuesOf(user.id)).toEqual({ [ownCode]: mine })
    expect((await new Caller(new Browser()).send(readProfileDetails)).status).toBe(401)
  })

  test('of thirty uploads at once leaves one, which the profile names', async () => {
    const { user, caller } = await ownAccount()
    const code = await pictureField()
    const file = await png()
    const answers = await Promise.all(Array.from({ length: 30 }, () => put(caller, code, fileOf(file))))
    // a person sends only a few files at a time
    for (const { status } of answers) expect([200, 429]).toContain(status)
    const rows = await rowsOf(user.id)
    expect(rows).toHaveLength(1)
    expect(answers.map(({ body }) => body.fileId)).toContain(rows[0]?.id)
    expect((await caller.call(readProfileDetails)).additionalInfo[code]).toBe(rows[0]?.id)
  })

  test('says in the description of the form that it may be changed', async () => {
    const { caller } = await ownAccount()
    const [open, closed] = [await pictureField(), await pictureField({ profileEdit: false })]
    const { tabs } = await caller.call(configureProfile)
    const fields = tabs.flatMap(({ subtypes }) => subtypes.flatMap((block) => block.fields))
    const editOf = (code: string) => fields.find((field) => field.code === code)?.edit
    expect([editOf(open), editOf(closed)]).toEqual([true, false])
  })
})

describe('who sees the picture of a field', () => {
  const yesNo = [false, true]
  const flagsOf = yesNo.flatMap((profileVisible) =>
    yesNo.flatMap((adminVisible) => yesNo.map((adminRequired) => ({ profileVisible, adminVisible, adminRequired }))),
  )

  test('is who sees the field, by any flags: nobody else, also who knows the id', async () => {
    const [{ user, caller }, company] = [await ownAccount(), await createContractor()]
    const { id: contractorId } = company.contractor
    const browserWith = async (methods: string[] = []) => (await signedInWith(methods)).browser
    const member = await signedInWith()
    await join(company, member.user.id, [])
    const viewers: Record<string, Browser> = {
      owner: caller.browser,
      member: member.browser,
      stranger: await browserWith(),
      nobody: new Browser(),
      readsUsers: await browserWith(['users.read']),
      readsContractors: await browserWith(['contractors.read']),
      readsOther: await browserWith(['history.read', 'roles.read', 'dynamic-fields.write', 'masterAccountAccess']),
    }
    const administrator = new Caller(await browserWith(['contractors.write']))
    const [ofPerson, ofCompany] = [await pictureField(), await pictureField({ type: 'contractors' })]
    const personal = await uploaded(caller, ofPerson)
    const params = { id: contractorId, code: ofCompany }
    const { fileId: corporate } = await administrator.call(patchContractorPicture, {
      params,
      body: { file: fileOf(await png()) },
    })
    for (const flags of flagsOf) {
      for (const code of [ofPerson, ofCompany]) await setField(code, flags)
      const admin = flags.adminVisible || flags.adminRequired
      const expected: Record<string, [personal: number, corporate: number]> = {
        owner: [flags.profileVisible ? 200 : 404, 404],
        member: [404, flags.profileVisible ? 200 : 404],
        stranger: [404, 404],
        nobody: [401, 401],
        readsUsers: [admin ? 200 : 404, 404],
        readsContractors: [404, admin ? 200 : 404],
        readsOther: [404, 404],
      }
      for (const [name, browser] of Object.entries(viewers))
        expect(
          [(await look(browser, personal)).status, (await look(browser, corporate)).status],
          `${name} ${JSON.stringify(flags)}`,
        ).toEqual(expected[name])
    }
    await setField(ofPerson, { profileVisible: true, active: false })
    expect((await look(caller.browser, personal)).status).toBe(404)
    await setField(ofPerson, { active: true, fieldType: 'input' })
    expect((await look(caller.browser, personal)).status).toBe(404)
    await db().delete(users).where(eq(users.id, user.id))
    expect(await rowsOf(user.id)).toEqual([])
  })

  test('isn’t who wrote its id into a field that became one of pictures', async () => {
    const [victim, attacker] = [await ownAccount(), await ownAccount()]
    const [pictures, text] = [await pictureField(), await defineField()]
    const stolen = await uploaded(victim.caller, pictures)
    expect((await attacker.caller.send(updateProfile, { body: { additionalInfo: { [text]: stolen } } })).status).toBe(
      200,
    )
    await setField(text, { fieldType: 'picture' })
    expect((await look(attacker.caller.browser, stolen)).status).toBe(404)
    // nor does removing it there touch the other's
    expect((await removed(attacker.caller, text)).status).toBe(200)
    expect((await look(victim.caller.browser, stolen)).status).toBe(200)
  })
})

test('a picture that no value names any more is deleted, within a day', async () => {
  const { user, caller } = await ownAccount()
  const [code, other] = [await pictureField(), await pictureField()]
  const [lost, keptFile] = [await uploaded(caller, code), await uploaded(caller, other)]
  await setField(code, { fieldType: 'input' })
  await caller.call(updateProfile, { body: { additionalInfo: { [code]: 'text' } } })
  const ids = async () => (await rowsOf(user.id)).map(({ id }) => id).sort()
  await tidyFieldPictures(new Date())
  expect(await ids()).toEqual([lost, keptFile].sort())
  // each picture has one turn of a day
  for (let turn = 0; turn < turnsPerDay; turn++)
    await tidyFieldPictures(new Date(Date.now() + 2 * 3_600_000 + turn * 600_000))
  expect(await ids()).toEqual([keptFile])
})

describe('the picture in a field of a contractor', () => {
  const file = async () => ({ file: fileOf(await png()) })

  test('is changed by administrators, as the flags allow', async () => {
    const caller = new Caller((await signedInWith(['contractors.read', 'contractors.write'])).browser)
    const { id } = (await createContractor()).contractor
    const [code, readOnly] = [
      await pictureField({ type: 'contractors' }),
      await pictureField({ type: 'contractors', adminEdit: false }),
    ]
    const { fileId } = await caller.call(patchContractorPicture, { params: { id, code }, body: await file() })
    expect((await caller.call(readContractor, { params: { id } })).values).toEqual({ [code]: fileId })
    const change = async (params: { id: string; code: string }) => [
      faultOf(await caller.send(patchContractorPicture, { params, body: await file() })),
      faultOf(await caller.send(deleteContractorPicture, { params })),
    ]
    expect(await change({ id, code: readOnly })).toEqual([
      [400, 'code', 'errorReadOnly'],
      [400, 'code', 'errorReadOnly'],
    ])
    for (const params of [
      { id: randomUUID(), code },
      { id, code: await pictureField() },
    ])
      expect((await change(params)).map(([status]) => status)).toEqual([404, 404])
    await caller.call(deleteContractorPicture, { params: { id, code } })
    expect((await look(caller.browser, fileId)).status).toBe(404)
    expect((await caller.call(readContractor, { params: { id } })).values).toEqual({})
  })

  test('goes with its contractor into another one that has none, and the target’s own stays', async () => {
    const caller = new Caller((await signedInWith(['contractors.read', 'contractors.write'])).browser)
    const [target, source, third] = [await createContractor(), await createContractor(), await createContractor()]
    const [one, other] = [await pictureField({ type: 'contractors' }), await pictureField({ type: 'contractors' })]
    const give = async ({ contractor: { id } }: typeof target, code: string) =>
      (await caller.call(patchContractorPicture, { params: { id, code }, body: await file() })).fileId
    const targetFile = await give(target, one)
    const [lost, moved, unseen] = [await give(source, one), await give(source, other), await give(third, other)]
    const ids = [target, source, third].map(({ contractor }) => contractor.id)
    const versions = Object.fromEntries(
      (await db().select().from(contractors)).flatMap(({ id, updatedAt }) =>
        ids.includes(id) ? [[id, updatedAt.toISOString()]] : [],
      ),
    )
    const [targetId = '', ...sourceIds] = ids
    await caller.call(mergeContractors, { body: { targetId, sourceIds, take: {}, versions } })
    expect((await caller.call(readContractor, { params: { id: targetId } })).values).toEqual({
      [one]: targetFile,
      [other]: moved,
    })
    for (const id of [targetFile, moved]) expect((await look(caller.browser, id)).status).toBe(200)
    for (const id of [lost, unseen]) expect((await look(caller.browser, id)).status).toBe(404)
    expect(await db().$count(fieldPictures, eq(fieldPictures.contractorId, targetId))).toBe(2)
  })
})
