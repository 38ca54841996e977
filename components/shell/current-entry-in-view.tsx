'use client'

import { usePathname } from 'next/navigation'
import { CurrentInView } from '../ui/current-in-view'

/** Scrolls the menu that it stands in, so that the entry of the open page is in sight. */
export const CurrentEntryInView = () => <CurrentInView current={usePathname()} />
