'use client'

import { hydratedLater } from '@/components/ui/hydrated-later'

/** Only the tab of the clients has it. */
export const Developer = hydratedLater(() => import('./developer').then((part) => part.Developer))
