import { cn } from '../ui/cn'
import { iconButtonClasses } from '../ui/icon-button-classes'

/** A language that a form may have texts in. */
export type KnownLocale = { id: string; code: string; name: string }

/** The look of the button that adds one. */
export const addLook = cn(iconButtonClasses, 'shrink-0 text-brand')
