import { FileText } from 'lucide-react'
import type { AgreementName, EntryName, MenuScreenName } from '@/lib/base/navigation/screens'
import { icons } from './screen-icons.generated'

/** The name of an icon: of each page of a side menu, and of agreements. */
export type IconName = MenuScreenName | AgreementName

const isAgreement = (name: EntryName): name is AgreementName => name.startsWith('LawPage-')

/** Returns whether a menu entry has an icon. Groups and pages outside of the menus have none. */
export const hasIcon = (name: EntryName): name is IconName => Object.hasOwn(icons, name) || isAgreement(name)

/** The icon of a menu entry. It is hidden from screen readers, because the label says everything. */
export function ScreenIcon({ name }: { name: IconName }) {
  const Icon = isAgreement(name) ? FileText : icons[name]
  return <Icon aria-hidden="true" strokeWidth={1.75} className="size-5 shrink-0" />
}
