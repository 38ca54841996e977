import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { applications, platformPictures } from '@/db/schema'
import { deleteApplicationIcon, patchApplicationIcon } from '@/lib/applications/applications/contract'
import { createDomain, deleteDomain, deleteDomainLogo, patchDomainLogo } from '@/lib/site/domains/contract'
import { domainByHost } from '@/lib/site/domains/service'
import { readLogo } from '@/lib/site/pictures/contract'
import { projectInfo } from '@/lib/site/project-info/service'
import { compose } from '@/lib/wiring/compose'
import { newApplication } from '../../factories/applications'
import { thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import { type Caller, callerFor } from '../../factories/caller'
import { lies } from '../../factories/file-samples'
import { faultyPictures, fileOf, halves } from '../../factories/pictures'
import { handlerOf } from '../../factories/routes'
import { holdMethods } from '../../factories/service-accounts'
import { useTestDatabase } from '../../setup/database'

const read = handlerOf(readLogo)

useTestDatabase()
beforeAll(() => compose())

const svg = (inner: string) => {
  const source = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8" onload="alert(1)">${inner}</svg>`
  return new File([source], 'logo.svg', { type: 'image/svg+xml' })
}
const shape = '<path d="M0 0h8v8z"/>'
const begin = async () => ({ caller: await callerFor(patchApplicationIcon), id: (await newApplication()).id })
const send = (caller: Caller, id: string, file: File) =>
  caller.send(patchApplicationIcon, { params: { id }, body: { file } })
const put = async (caller: Caller, id: string, file: File) => (await send(caller, id, file)).body.fileId as string
const look = (fileId: string) => new Browser().send(read, readLogo.method, { params: { fileId } })
const iconOf = async (id: string) =>
  (await db().select({ iconId: applications.iconId }).from(applications).where(eq(applications.id, id)))[0]?.iconId
const faultOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => {
  const { errorList = [] } = (body.data ?? {}) as { errorList?: { field: string; code: string }[] }
  return [status, errorList[0]?.field, errorList[0]?.code]
}

test('an SVG is stored without its scripts, and served as a file in which nothing runs', async () => {
  const { caller, id } = await begin()
  const { status, headers, body } = await look(await put(caller, id, svg(`<script>alert(1)</script>${shape}`)))
  expect(status).toBe(200)
  expect(headers.get('content-type')).toMatch(/^image\/svg\+xml/)
  expect(headers.get('content-security-policy')).toContain('sandbox')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('content-disposition')).toMatch(/^attachment/)
  expect(body.file).toContain('<path d="M0 0h8v8z" />')
  expect(body.file).not.toMatch(/script|onload/)
})

test('a PNG becomes WebP; the one before is gone, and so is the last one after its removal', async () => {
  const { caller, id } = await begin()
  const before = await put(caller, id, svg(shape))
  const after = await put(caller, id, fileOf(await halves().png().toBuffer()))
  expect((await look(after)).headers.get('content-type')).toBe('image/webp')
  expect((await look(before)).status).toBe(404)
  await caller.call(deleteApplicationIcon, { params: { id } })
  expect([(await look(after)).status, await iconOf(id)]).toEqual([404, null])
  expect((await caller.send(deleteApplicationIcon, { params: { id } })).body.code).toBe('notFound')
})

test('what is no logo is refused by its code, and changes nothing', async () => {
  const { caller, id } = await begin()
  const fileId = await put(caller, id, svg(shape))
  const faults = {
    errorPictureStyles: svg(`<style>*{fill:red}</style>${shape}`),
    errorPicture: svg('<script>alert(1)</script>'),
    errorPictureLarge: svg(shape.repeat(6000)),
    errorPicturePixels: fileOf((await faultyPictures.find(([, , kind]) => kind === 'huge')?.[1]()) as Uint8Array),
  }
  for (const [code, file] of Object.entries(faults))
    expect(faultOf(await send(caller, id, file))).toEqual([400, 'file', code])
  const tooLarge = fileOf(
    new Uint8Array(Buffer.concat([Buffer.from(await halves().png().toBuffer()), Buffer.alloc(2 ** 21)])),
  )
  expect(faultOf(await send(caller, id, tooLarge))).toEqual([413, 'file', 'errorFileSize'])
  for (const name of ['html', 'gif', 'pdf'])
    expect(faultOf(await send(caller, id, fileOf(lies[name] as Uint8Array))), name).toEqual([
      415,
      'file',
      'errorFileType',
    ])
  expect(await iconOf(id)).toBe(fileId)
})

test('an application that the caller may not change keeps its icon', async () => {
  const { caller, id } = await begin()
  await holdMethods(id, ['users.write'])
  const fixed = await newApplication()
  await db().update(applications).set({ actionsAccess: 2 }).where(eq(applications.id, fixed.id))
  const codes = [id, fixed.id].map(async (each) => (await send(caller, each, svg(shape))).body.code)
  expect(await Promise.all(codes)).toEqual(['forbiddenApplication', 'applicationFixed'])
  const removals = [id, fixed.id].map(
    async (each) => (await caller.send(deleteApplicationIcon, { params: { id: each } })).body.code,
  )
  expect(await Promise.all(removals)).toEqual(['forbiddenApplication', 'applicationFixed'])
})

test('of thirty uploads at once one stays, and no bytes without an owner', async () => {
  const { caller, id } = await begin()
  const before = await db().$count(platformPictures)
  const sent = await thirty(() => put(caller, id, svg(shape)))
  const icon = await iconOf(id)
  expect(sent).toContain(icon)
  expect(await db().$count(platformPictures)).toBe(before + 1)
})

test('the logo of a domain is that of its pages, is drawn anew, and goes with the domain', async () => {
  const caller = await callerFor(patchDomainLogo)
  const host = 'logo.example'
  const { id } = await caller.call(createDomain, { body: { aliases: [host] } })
  const params = { id }
  const put = (file: File) => caller.send(patchDomainLogo, { params, body: { file } })
  const shownLogo = async () => (await projectInfo(await domainByHost(host))).logo
  expect((await caller.send(deleteDomainLogo, { params })).status).toBe(404)
  const before = await db().$count(platformPictures)
  const fileId = (await put(svg(`<script>alert(1)</script>${shape}`))).body.fileId as string
  expect(await shownLogo()).toBe(fileId)
  expect((await look(fileId)).body.file).not.toMatch(/script|onload/)
  expect(faultOf(await put(svg('<script>alert(1)</script>')))).toEqual([400, 'file', 'errorPicture'])
  expect(await shownLogo()).toBe(fileId)
  await caller.call(deleteDomainLogo, { params })
  expect([await shownLogo(), (await look(fileId)).status]).toEqual([null, 404])
  await put(svg(shape))
  await caller.call(deleteDomain, { params })
  expect(await db().$count(platformPictures)).toBe(before)
  expect((await put(svg(shape))).status).toBe(404)
})
