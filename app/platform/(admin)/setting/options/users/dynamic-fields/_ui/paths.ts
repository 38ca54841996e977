import { screenNamed } from '@/lib/base/navigation/screens'

/** The address of the tabs of a type. */
export const typePath = (type: string) =>
  screenNamed('UsersSettingsFields').path.replace('{type}', encodeURIComponent(type))

/** The address of a tab with its blocks and fields. */
export const tabPath = (type: string, tab: string) => `${typePath(type)}/details/${encodeURIComponent(tab)}`
