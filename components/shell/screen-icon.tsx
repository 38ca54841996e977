import { FileText } from 'lucide-react'
import type { AgreementName, EntryName, MenuScreenName } from '@/lib/kernel/navigation/screens'
import { icons } from './screen-icons.generated'

/** What has a picture: every page of a side menu, and agreements. */
export type IconName = MenuScreenName | AgreementName

const isAgreement = (name: EntryName): name is AgreementName => name.startsWith('LawPage-')

/** Returns whether an entry of the menus has an icon; groups, and pages that are in no menu, have none. */
export const hasIcon = (name: EntryName): name is IconName => Object.hasOwn(icons, name) || isAgreement(name)

/** The picture beside an entry of a menu; the words say it all, so it is hidden from readers. */
export function ScreenIcon({ name }: { name: IconName }) {
  const Icon = isAgreement(name) ? FileText : icons[name]
  return <Icon aria-hidden="true" strokeWidth={1.75} className="size-5 shrink-0" />
}
