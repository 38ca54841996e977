'use client'

export { AreaFailure as default } from '@/components/shell/area-failure'
