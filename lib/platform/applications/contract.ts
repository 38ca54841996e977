import { z } from 'zod'
import { readVersion } from '@/lib/kernel/http/area-calls'
import { contract, Id, line, requiredLine } from '@/lib/kernel/http/contract'
import { logoChange, logoRemoval } from '@/lib/platform/pictures/contract'

export const SetApplicationEnabled = z.strictObject({
  id: Id,
  enabled: z.boolean({ error: 'errorFormat' }),
  ...readVersion,
})
export type SetApplicationEnabled = z.output<typeof SetApplicationEnabled>

/** Whether a browser can open it: an http(s) address without user name and password, or a path of the platform. */
function isTileAddress(address: string): boolean {
  if (/[\s\\]/.test(address)) return false
  if (/^\/(?!\/)/.test(address)) return true
  if (!URL.canParse(address)) return false
  const { protocol, username, password } = new URL(address)
  return /^https?:$/.test(protocol) && !username && !password
}

/**
 * Types that no menu shows: a draft isn't open yet, an external application belongs to another owner
 * (docs/rules/administration-screens.md#menus-of-applications).
 */
const neverInMenu = ['draft', 'external']

export const ApplicationInput = z
  .strictObject({
    type: z.enum(['internal', 'external', 'draft', 'link', 'virtual'], 'errorFormat'),
    /** By default it is made from the name. */
    code: requiredLine(64)
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'errorLatin')
      .optional(),
    name: requiredLine(100),
    /** In English; if empty, `name` serves both languages. */
    nameEn: line(100).default(''),
    description: line(500).default(''),
    /** In English; if empty, `description` serves both languages. */
    descriptionEn: line(500).default(''),
    url: requiredLine(2048).refine(isTileAddress, 'errorApplicationAddress').nullable().default(null),
    menuVisible: z.boolean({ error: 'errorFormat' }).default(false),
    /** The virtual application below which menus show this one. */
    parentId: Id.nullable().default(null),
  })
  .superRefine(({ type, url, menuVisible }, check) => {
    if (!url && (type === 'link' || type === 'external'))
      check.addIssue({ code: 'custom', message: 'errorEmpty', path: ['url'] })
    if (menuVisible && (neverInMenu.includes(type) || !url))
      check.addIssue({ code: 'custom', message: 'errorMenuVisible', path: ['menuVisible'] })
  })
export type ApplicationInput = z.output<typeof ApplicationInput>

const ofIcon = {
  path: '/setting/applications/{id}/icon',
  tag: 'applications',
  access: { area: 'applications' },
  params: z.strictObject({ id: Id }),
} as const
const refusals = { forbiddenApplication: 403, applicationFixed: 409 } as const

export const patchApplicationIcon = contract({
  ...ofIcon,
  ...logoChange,
  name: 'patchApplicationIcon',
  method: 'PATCH',
  summary: 'Replaces the icon of an application; the file is drawn anew',
  notice: 'applicationIconUpdate',
  errors: { ...logoChange.errors, ...refusals },
})

export const deleteApplicationIcon = contract({
  ...ofIcon,
  ...logoRemoval,
  name: 'deleteApplicationIcon',
  method: 'DELETE',
  summary: 'Removes the icon of an application: menus show its first letter again',
  notice: 'applicationIconDelete',
  errors: { ...logoRemoval.errors, ...refusals },
})
