'use client'

import { hydratedLater } from '@/components/ui/hydrated-later'

export const DomainEditor = hydratedLater(() => import('./editor').then((part) => part.DomainEditor))
