import type { icons } from 'lucide-react'
import type { Area } from '../access/access-methods'
import type { CallOutput, Contract } from '../contracts/contract'
import type { Named } from '../i18n/local-name'
import type { Family, MenuGroup } from './menu-groups'

export type Layout = 'Auth' | 'Law' | 'NoAccess' | 'Profile' | 'Platform'

export type Finds = {
  /** The path of the list's call, with its `filter[search]`. */
  path: string
  /** The rows in its answer. */
  rows: string
}

/**
 * Declares that the search over the platform finds the rows of a list. Takes the contract of the list and the name of
 * the rows in its answer; each row has an id and a name.
 */
export const finds = <C extends Contract>(
  { path }: C,
  rows: Extract<
    { [K in keyof CallOutput<C>]: CallOutput<C>[K] extends NamedRow[] ? K : never }[keyof CallOutput<C>],
    string
  >,
): Finds => ({ path, rows })
type NamedRow = { id: string } & Named

/** The declaration of a page in the `screen.ts` next to its `page.tsx`. Path and layout follow from the folder. */
export type ScreenDeclaration = {
  name: string
  tabNumber?: number
  /** Administration: open to people who may read this area; `any`: to people who may read any area. */
  area?: Area | 'any'
  /** Its priority for one of the three places in a phone's bottom bar; 1 comes first. */
  bar?: number
  /** `false`: groups other pages, and is no link in the breadcrumbs. */
  clickable?: false
  /** For the search over the platform. */
  palette?: {
    /** The list whose rows the search finds for people who may read the area. */
    finds?: Finds
    /** The key of the text of the button that creates a row (`<module>.create`), for people with write access. */
    create?: string
  }
  /** The path to which this page redirects. */
  redirect?: string
  /** The address of the other service that has the page. */
  serviceUrl?: string
  /** The path to which this page redirects, with the full requested path in the query parameter `path`. */
  serviceRedirect?: string
} & (
  | {
      /** Its group in the side menu. */
      menu: MenuGroup
      /** Its place in that group: lower numbers come first. */
      place: number
      /** The icon of its entry, by lucide's name. */
      icon: keyof typeof icons
      /** Its family: the pages of the family that a person may open share one entry, and each shows all as tabs. */
      family?: Family
    }
  | { menu?: undefined; place?: undefined; icon?: undefined; family?: undefined }
)

/** A page as the generated index lists it. */
export type ScreenRow = Omit<ScreenDeclaration, 'menu' | 'place' | 'icon' | 'family' | 'palette'> & {
  /** The path after the host, with `{id}` for a parameter. */
  path: string
  layout: Layout
  /** Open to people who haven't signed in. */
  public: boolean
  menu?: MenuGroup
  family?: Family
}

/** Declares a page, once, in the default export of its `screen.ts`. `npm run generate` adds it to the index. */
export const defineScreen = (screen: ScreenDeclaration): ScreenDeclaration => screen
