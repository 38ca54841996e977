import type { Definition } from '@/lib/people/fields/definition'
import { fieldTab, mainTab, personalPath } from '../profile/personal/_ui/tabs'

/** The place of a field on the screen of personal data. */
export const fieldHref = ({ code, tab }: Pick<Definition, 'code' | 'tab'>) =>
  `${personalPath}${tab.id === mainTab ? '' : `?tab=${encodeURIComponent(fieldTab(tab.id))}`}#${code}`
