import { fillParameter } from '@/components/card/fill-parameter'
import type { Definition } from '@/lib/fields/values/definition'
import { fieldTab, mainTab, personalPath } from '../profile/personal/_ui/tabs'

/**
 * Returns the address of a field on the screen of personal data, which opens the field. Without scripts the address
 * only scrolls to it.
 */
export function fieldHref({ code, tab }: Pick<Definition, 'code' | 'tab'>): string {
  const search = new URLSearchParams(tab.id === mainTab ? {} : { tab: fieldTab(tab.id) })
  search.set(fillParameter, code)
  return `${personalPath}?${search}#${code}`
}
