'use client'

import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { MenuItem, MenuSeparator } from '@/components/ui/menu'
import { RowMenu } from '@/components/ui/row-menu'

export function CreateAlias() {
  const t = useTranslations('gallery.aliases')
  return (
    <Button>
      <Plus aria-hidden="true" className="size-4.5" />
      {t('create')}
    </Button>
  )
}

export function AliasMenu({ name }: { name: string }) {
  const t = useTranslations('gallery.aliases')
  const [, setDialog] = useState<'edit' | 'delete' | null>(null)
  return (
    <RowMenu row={name}>
      <MenuItem onSelect={() => setDialog('edit')}>
        <Pencil aria-hidden="true" className="size-4" />
        {t('edit')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem tone="danger" onSelect={() => setDialog('delete')}>
        <Trash2 aria-hidden="true" className="size-4" />
        {t('delete')}
      </MenuItem>
    </RowMenu>
  )
}
