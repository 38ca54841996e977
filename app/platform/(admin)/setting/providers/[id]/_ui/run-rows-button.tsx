'use client'

import { Users } from 'lucide-react'
import { type MouseEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/text-link'
import { useLater } from '@/components/ui/use-later'
import type { RunAction } from '@/lib/directory-sync/provider-sync/contract'

const load = () => import('./run-rows').then((part) => part.RunRowsDialog)

type Props = { id: string; action: RunAction; label: string; button?: boolean }

/** Opens the people of a batch job for whom it did, or would do, the same. */
export function RunRowsButton({ id, action, label, button = false }: Props) {
  const [open, setOpen] = useState(false)
  const { Part, wake } = useLater(load)
  const opens = {
    ...wake,
    onClick: (event: MouseEvent) => {
      setOpen(true)
      wake.onClick(event)
    },
  }
  return (
    <>
      {button ? (
        <Button {...opens} variant="secondary" size="S">
          <Users aria-hidden="true" className="size-4" />
          {label}
        </Button>
      ) : (
        <LinkButton {...opens}>{label}</LinkButton>
      )}
      {Part ? <Part id={id} action={action} label={label} open={open} onOpenChange={setOpen} /> : null}
    </>
  )
}
