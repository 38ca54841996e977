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
 * Takes the call of a list and the name of its rows in the answer, which have an id and a name. The search over the
 * platform then finds them.
 */
export const finds = <C extends Contract>(
  { path }: C,
  rows: Extract<
    { [K in keyof CallOutput<C>]: CallOutput<C>[K] extends Found[] ? K : never }[keyof CallOutput<C>],
    string
  >,
): Finds => ({ path, rows })
type Found = { id: string } & Named

/** What a page states about itself in the `screen.ts` beside its `page.tsx`. Its path and layout follow from its folder. */
export type ScreenDeclaration = {
  name: string
  tabNumber?: number
  /** Administration: open to people who may read this area; `any`: to people who may read any area. */
  area?: Area | 'any'
  /** Its claim to one of the three places in the phone's bottom bar; 1 comes first. */
  bar?: number
  /** `false`: groups other pages, and is no link in the breadcrumbs. */
  clickable?: false
  /** For the search over the platform. */
  palette?: {
    /** Records, which the list's own search finds for people who may read the area. */
    finds?: Finds
    /** The key of the text of the button that creates one (`<slice>.create`), for people with write access. */
    create?: string
  }
  /** Leads to this path instead. */
  redirect?: string
  /** Another service's address at which the page lives. */
  serviceUrl?: string
  /** Leads to this path with the full path that was asked for in its query parameter `path`. */
  serviceRedirect?: string
} & (
  | {
      /** Its group in the side menu. */
      menu: MenuGroup
      /** Its place in that group: lower numbers come first. */
      place: number
      /** The picture beside its entry, by lucide's name. */
      icon: keyof typeof icons
      /** Its family: those of its pages that a person may open are one entry, and tabs on each of them. */
      family?: Family
    }
  | { menu?: undefined; place?: undefined; icon?: undefined; family?: undefined }
)

/** A page as the generated index lists it. */
export type ScreenRow = Omit<ScreenDeclaration, 'menu' | 'place' | 'icon' | 'family' | 'palette'> & {
  /** Below the host, with `{id}` for a parameter. */
  path: string
  layout: Layout
  /** Open to people who haven't signed in. */
  public: boolean
  menu?: MenuGroup
  family?: Family
}

/** Declares a page, once, in the default export of its `screen.ts`. `npm run generate` lists it. */
export const defineScreen = (screen: ScreenDeclaration): ScreenDeclaration => screen
