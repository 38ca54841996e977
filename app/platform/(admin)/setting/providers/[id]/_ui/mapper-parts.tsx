'use client'

import { ListPlus, Plus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ComponentProps, lazy, Suspense } from 'react'
import { ActionButton } from '@/components/form/action-button'
import { sends } from '@/components/form/actions'
import { SliceMenu } from '@/components/list/slice-parts'
import type { MapperField } from '@/lib/directory-sync/provider-mappers/contract'
import type { MapperMenu } from './mapper-menu'

/**
 * What the form of a mapper needs: the synchronization, the fields of accounts, and the attributes that the directory
 * has for everybody.
 */
export type MapperGiven = {
  syncId: string
  fields: readonly MapperField[]
  sources: readonly string[]
  access: boolean
  /** Roles that have a method of the platform. */
  strong: readonly string[]
}

const calls = () => import('@/lib/directory-sync/provider-mappers/contract')
const menu = () => import('./mapper-menu').then((part) => part.MapperMenu)
// it is loaded when its dialog opens
const NewMapper = lazy(() => import('./mapper-form').then((part) => ({ default: part.NewMapper })))

/** The menu of a mapper's row. */
export const MapperRowMenu = (of: ComponentProps<typeof MapperMenu>) => <SliceMenu menu={menu} of={of} />

/** The button that adds a mapper, with its dialog. */
export function CreateMapper(props: MapperGiven) {
  const t = useTranslations('provider-mappers')
  return (
    <ActionButton
      action={{
        kind: 'dialog',
        label: t('create'),
        icon: Plus,
        title: t('createTitle'),
        text: t('dialogText'),
        body: (done) => (
          <Suspense>
            <NewMapper given={props} onDone={done} />
          </Suspense>
        ),
      }}
    />
  )
}

/** The button that adds the mappers with which every directory of the type begins. */
export function AddBaseMappers({ syncId, first }: { syncId: string; first: boolean }) {
  const t = useTranslations('provider-mappers')
  return (
    <ActionButton
      variant={first ? 'primary' : 'secondary'}
      action={{
        kind: 'call',
        label: t('addBase'),
        icon: ListPlus,
        sends: sends(() => calls().then((contracts) => contracts.addBaseMappers), { params: { syncId } }),
      }}
    />
  )
}
