'use client'

import { useTranslations } from 'next-intl'
import { type ComponentProps, useState } from 'react'
import { SliceCreate, SliceMenu } from '@/components/list/slice-parts'
import { Button } from '@/components/ui/button'
import { useLater } from '@/components/ui/use-later'
import type { EntryMenu } from './entry-menu'

const forms = {
  whitelist: () => import('./entry-form').then((part) => part.NewWhitelistEntry),
  blacklist: () => import('./entry-form').then((part) => part.NewBlacklistEntry),
}
const menu = () => import('./entry-menu').then((part) => part.EntryMenu)
const check = () => import('./check-address').then((part) => part.CheckAddressDialog)

/** The button that adds an entry to a list, with its dialog. */
export const CreateEntry = ({ list }: { list: keyof typeof forms }) => <SliceCreate texts={list} form={forms[list]} />

/** The menu of an entry's row. */
export const EntryRowMenu = (of: ComponentProps<typeof EntryMenu>) => <SliceMenu menu={menu} of={of} />

/**
 * The button that checks whether an address is admitted, with its dialog; the dialog opens with the reader's own
 * address.
 */
export function CheckAddress({ ip }: { ip: string }) {
  const t = useTranslations('access-lists.check')
  const [open, setOpen] = useState(false)
  const { Part: CheckDialog, wake } = useLater(check)
  return (
    <>
      <Button
        {...wake}
        variant="secondary"
        onClick={(event) => {
          setOpen(true)
          wake.onClick(event)
        }}
      >
        {t('action')}
      </Button>
      {CheckDialog ? <CheckDialog ip={ip} open={open} onOpenChange={setOpen} /> : null}
    </>
  )
}
