import { defineEntity, list, text } from '@/lib/kernel/record/entity'

export const networkAliasEntity = defineEntity('network-aliases', {
  name: text('network-aliases.name'),
  ips: list<{ ip: string; comment: string }>('network-aliases.addresses'),
  comment: text('network-aliases.comment'),
})
