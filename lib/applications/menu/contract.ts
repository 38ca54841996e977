import { z } from 'zod'
import { contract } from '@/lib/base/contracts/contract'
import type { EntryName } from '@/lib/base/navigation/screens'

const MenuEntry = z.strictObject({
  /** The name of the page or the group. */
  name: z.string() as unknown as z.ZodType<EntryName, EntryName>,
  title: z.string(),
  titleEn: z.string(),
  /** A path of the platform; null for a group and for another service. */
  path: z.string().nullable(),
  serviceUrl: z.string().nullable(),
  /** Code of the application that the entry belongs to. */
  applicationKey: z.string().nullable(),
  meta: z.strictObject({
    layout: z.enum(['Auth', 'Profile', 'Platform', 'Law', 'NoAccess']),
    public: z.boolean(),
    tabNumber: z.number().int().nullable(),
    /** In the caller's language. */
    title: z.string(),
    serviceUrl: z.string().nullable(),
    /** The address to which the page redirects. */
    redirect: z.string().nullable(),
  }),
  /** Whether the side menu shows it. */
  leftMenu: z.boolean(),
  disabled: z.boolean(),
  /** How many items of the page need attention; null for none. */
  badge: z.number().int().nullable(),
})
/** An entry of a menu (docs/rules/pages.md#menus); only groups and services have children. */
export const MenuItem = MenuEntry.extend({ children: z.array(MenuEntry) })
export type MenuItem = z.output<typeof MenuItem>

const ServiceEntry = z.strictObject({
  id: z.string(),
  name: z.string(),
  title: z.string(),
  titleEn: z.string().nullable(),
  description: z.string(),
  descriptionEn: z.string().nullable(),
  serviceUrl: z.string(),
  applicationKey: z.string(),
  /** The id of its picture, for `pictures/{fileId}`; null for none. */
  iconId: z.string().nullable(),
  disabled: z.boolean(),
})
/** A service that the person can open, with the services that are listed under it. */
export const ServiceItem = ServiceEntry.extend({ children: z.array(ServiceEntry) })
export type ServiceItem = z.output<typeof ServiceItem>

const query = z.strictObject({ type: z.literal('platform', { error: 'errorFormat' }).default('platform') })

export const getMenu = contract({
  name: 'getMenu',
  method: 'GET',
  path: '/ui/menu',
  summary: 'The pages that are open to the signed-in person, in groups',
  tag: 'start-up',
  access: 'user',
  query,
  response: z.strictObject({ menu: z.array(MenuItem) }),
})

export const getServicesMenu = contract({
  name: 'getServicesMenu',
  method: 'GET',
  path: '/ui/services/menu',
  summary: 'The services that are open to the signed-in person on this domain',
  tag: 'start-up',
  access: 'user',
  query,
  response: z.strictObject({ menu: z.array(ServiceItem) }),
})

export const getPublicMenu = contract({
  name: 'getPublicMenu',
  method: 'GET',
  path: '/ui/menu/platform',
  summary: 'The pages that are open to anybody',
  tag: 'start-up',
  access: 'public',
  response: z.strictObject({ menu: z.array(MenuItem) }),
})
