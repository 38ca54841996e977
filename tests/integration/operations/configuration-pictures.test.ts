import { expect, test, vi } from 'vitest'
import { areas } from '@/lib/base/access/access-methods'
import { cleanSvg } from '@/lib/base/pictures/svg'
import { createRoleWith } from '../../factories/access'
import { Browser } from '../../factories/browser'
import { apply, changed, type Loose, one, state, text, useDemoConfiguration } from '../../factories/configuration'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

vi.setConfig({ testTimeout: 60_000 })
useTestDatabase()
useDemoConfiguration()

/** Somebody who sees every section, and may write those of `more` besides the settings. */
async function readerWith(...more: string[]) {
  const browser = new Browser()
  const methods = ['settings.write', ...areas.map((area) => `${area}.read`), ...more]
  const { login } = await createUser({ roles: [await createRoleWith(methods)] })
  await signInByPassword(browser, login, password)
  return browser
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8H0z"/></svg>'
// as another instance drew it: then it is stored as it is
const picture = { type: 'image/svg+xml', data: Buffer.from(cleanSvg(Buffer.from(svg))).toString('base64') }

const pictures: [string, string, (content: Loose) => void][] = [
  [
    'applications[partner]',
    'applications.write',
    (content) => {
      one(content.applications, 'code', 'partner').icon = picture
    },
  ],
  [
    'domains[(base)]',
    'domains.write',
    (content) => {
      one(content.domains, 'name', '(base)').logo = picture
    },
  ],
]

test.each(pictures)('a picture of %s comes and goes by whoever holds %s alone', async (place, method, change) => {
  const [reader, writer] = [await readerWith(), await readerWith(method)]
  // with the picture, and as it was
  for (const file of [changed(change), text]) {
    const before = await state()
    const { status, body } = await apply(reader, file)
    expect([status, body.code]).toEqual([403, 'forbiddenConfiguration'])
    expect(body.data.errorList).toMatchObject([{ field: place }])
    expect(await state()).toEqual(before)
    expect(await apply(writer, file)).toMatchObject({ status: 200, body: { changes: [{ kind: 'update' }] } })
  }
})
