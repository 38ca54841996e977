import { describe, expect, test } from 'vitest'
import { shellContext } from '@/bin/operator'
import { importText } from '@/lib/operations/configuration-file/service'
import {
  admin,
  apply,
  changed,
  difference,
  one,
  state,
  text,
  useDemoConfiguration,
} from '../../factories/configuration'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

useDemoConfiguration()

describe('a file that can’t be imported changes nothing', () => {
  const bad: [string, () => string, object][] = [
    [
      'another program’s JSON',
      () => '{"name":"identity-platform","version":"1.0.0"}',
      { field: 'format', code: 'errorConfigurationForeign' },
    ],
    ['a list', () => '[1,2]', { field: 'format', code: 'errorConfigurationForeign' }],
    [
      'an older version',
      () =>
        changed((_, whole) => {
          whole.version = 1
        }),
      { field: 'version', code: 'errorConfigurationOlder', params: { version: 1, known: 2 } },
    ],
    [
      'a newer version',
      () =>
        changed((_, whole) => {
          whole.version = 3
        }),
      { field: 'version', code: 'errorConfigurationNewer' },
    ],
    [
      'an unknown key of the file',
      () =>
        changed((_, whole) => {
          whole.extra = 1
        }),
      { field: 'extra', code: 'errorUnknownField' },
    ],
    [
      'an unknown section',
      () =>
        changed((content) => {
          content.people = []
        }),
      { field: 'content.people', code: 'errorUnknownField' },
    ],
    [
      'an unknown key of an object',
      () =>
        changed((content) => {
          content.banners[0].colour = 'red'
        }),
      { field: expect.stringMatching(/^banners\[.+\]\.colour$/), code: 'errorUnknownField' },
    ],
    [
      'a missing key',
      () =>
        changed((content) => {
          delete one(content.banners, 'code', 'maintenance-ru').title
        }),
      { field: 'banners[maintenance-ru].title', code: 'errorEmpty' },
    ],
    [
      'another type',
      () =>
        changed((content) => {
          one(content.banners, 'code', 'maintenance-ru').visible = 'no'
        }),
      { field: 'banners[maintenance-ru].visible', code: 'errorFormat' },
    ],
    [
      'the key __proto__',
      () => text.replace('"content": {', '"content": {"__proto__": {"banners": []},'),
      { code: 'errorUnknownField' },
    ],
    [
      'the key constructor',
      () => text.replace('"content": {', '"content": {"constructor": [],'),
      { field: 'content.constructor', code: 'errorUnknownField' },
    ],
    [
      'a text that can’t be stored',
      () =>
        changed((content) => {
          content.banners[0].title = 'a\u0000b'
        }),
      { code: 'errorChars' },
    ],
    [
      'deep nesting',
      () =>
        changed((content) => {
          content.settings = [{ setting: 'cookie', value: JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`) }]
        }),
      { code: 'errorFormat' },
    ],
    [
      'one object twice',
      () =>
        changed((content) => {
          content.banners.push(content.banners[0])
        }),
      { field: expect.stringMatching(/^banners\[/), code: 'errorNamedTwice' },
    ],
    [
      'a reference to nothing',
      () =>
        changed((content) => {
          one(content.roles, 'role', 'Кладовщик').methods.push('warehouse: nothing')
        }),
      {
        field: expect.stringMatching(/^roles\[Кладовщик\]\.methods\.\d+$/),
        code: 'errorConfigurationReference',
        params: { name: 'warehouse: nothing' },
      },
    ],
    [
      'an unknown setting',
      () =>
        changed((content) => {
          content.settings.push({ setting: 'magic', value: 1 })
        }),
      { field: 'settings[magic].setting', code: 'errorUnknownField' },
    ],
    [
      'a setting out of bounds',
      () =>
        changed((content) => {
          content.settings.push({ setting: 'passwordMin', value: 1 })
        }),
      { field: 'settings.passwordMin', code: 'errorRange' },
    ],
    [
      'settings that lock everybody out',
      () =>
        changed((content) => {
          for (const kind of ['Login', 'Email', 'Mobile'])
            content.settings.push({ setting: `identification${kind}`, value: false })
        }),
      { code: expect.stringMatching(/^errorIdentification/) },
    ],
    [
      'a base schema that nobody can fulfil',
      () =>
        changed((content) => {
          one(content.authenticationSchemas, 'code', 'base').firstFactor = []
        }),
      { field: 'authenticationSchemas[base].firstFactor', code: 'errorEmpty' },
    ],
    [
      'the base domain switched off',
      () =>
        changed((content) => {
          one(content.domains, 'name', '(base)').enabled = false
        }),
      { field: 'domains[(base)].enabled', code: 'errorBaseDomain' },
    ],
    [
      'an earlier version of an agreement',
      () =>
        changed((content) => {
          one(content.documents, 'code', 'user-agreement').version = 0
        }),
      { field: 'documents[user-agreement].version', code: expect.any(String) },
    ],
    [
      'other methods of the administrator',
      () =>
        changed((content) => {
          one(content.roles, 'role', 'administrator').methods.pop()
        }),
      { field: 'roles[administrator].methods', code: 'errorAdministratorMethods' },
    ],
    [
      'a role whose name is that of the role of a method',
      () =>
        changed((content) => {
          const name = 'method:users.write'
          content.roles.push({ ...one(content.roles, 'role', 'Кладовщик'), role: name, name, nameEn: '' })
        }),
      { field: 'roles[method:users.write].name', code: 'errorUnique' },
    ],
    [
      'a secret without a header',
      () =>
        changed((content) => {
          content.providers[0].secret = 'AAAA'
        }),
      { code: 'errorConfigurationSecret' },
    ],
    [
      'hostile SVG',
      () =>
        changed((content) => {
          content.domains[0].logo = {
            type: 'image/svg+xml',
            data: Buffer.from('<html><script>1</script></html>').toString('base64'),
          }
        }),
      { field: expect.stringMatching(/^domains\[/), code: 'errorPicture' },
    ],
    [
      'a fault in the last section',
      () =>
        changed((content) => {
          content.banners[0].title = 'Новый'
          content.orders[0].order.push('nothing')
        }),
      { field: expect.stringMatching(/^orders\[/), code: 'errorConfigurationReference' },
    ],
  ]

  test.each(bad)('%s', async (_, given, fault) => {
    const before = await state()
    for (const send of [difference, apply]) {
      const { status, body } = await send(admin, given())
      expect([status, body.code]).toEqual([400, 'configurationRefused'])
      expect(body.data.errorList).toEqual(expect.arrayContaining([expect.objectContaining(fault)]))
    }
    expect(await state()).toEqual(before)
  })

  test('an order that names what pruning would delete', async () => {
    const given = changed(({ fields, orders }) => {
      const { type, block, code } = fields.pop()
      expect(one(orders, 'of', `fields/${type}/${block}`).order).toContain(code)
    })
    const before = await state()
    for (const send of [difference, apply]) {
      const { body } = await send(admin, given, { prune: 'true' })
      expect(body.data.errorList).toMatchObject([
        { field: expect.stringMatching(/^orders\[fields\/.+\]\.order\.\d+$/), code: 'errorConfigurationReference' },
      ])
    }
    expect(await state()).toEqual(before)
  })

  test('what isn’t JSON at all', async () => {
    expect((await apply(admin, 'locales: []')).status).toBe(415)
    const given = { text: 'locales: []', prune: false, dry: false }
    await expect(importText(await shellContext(), given)).rejects.toMatchObject({
      data: { errorList: [{ field: 'file', code: 'errorConfigurationJson' }] },
    })
  })

  test('more than 16 MiB', async () => {
    const before = await state()
    const { status } = await apply(admin, `${text}${' '.repeat(16 * 1024 ** 2)}`)
    expect(status).toBe(413)
    expect(await state()).toEqual(before)
  })
})
