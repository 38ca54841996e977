'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type Chosen, useSelection } from '@/components/bulk/selection'
import { Button } from '@/components/ui/button'
import { useKeptFocus } from '@/components/ui/use-kept-focus'
import { useLater } from '@/components/ui/use-later'
import type { User } from '@/lib/accounts/administration/contract'
import { userSelection } from './selection'

const load = () => import('./bulk-dialog').then((part) => part.BulkDialog)

/** Opens one action on all chosen accounts. */
export function ActOnChosen() {
  const t = useTranslations('users')
  const { chosen, clear } = useSelection<User>(userSelection)
  const [open, setOpen] = useState<User[] | null>(null)
  const { Part, wake } = useLater(load)
  const button = useKeptFocus<HTMLButtonElement>()
  return (
    <>
      <Button
        {...wake}
        ref={button}
        size="S"
        onClick={(event) => {
          setOpen([...chosen.values()].map(({ row }: Chosen<User>) => row))
          wake.onClick(event)
        }}
      >
        {t('bulkAct')}
      </Button>
      {Part && open ? (
        <Part
          users={open}
          onClose={(acted) => {
            setOpen(null)
            if (acted) clear()
          }}
        />
      ) : null}
    </>
  )
}
