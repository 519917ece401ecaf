import type { Acts, ActsWorld } from './acts-world.testkit.ts'

const anOperator = (id: string) => ({ log: 'deployment', subject: `operator ${id}` })
const addOperator = ({ admin }: ActsWorld, name: string) =>
  admin.createOperator({ name, scopes: ['users:read'], email: 'ada@operators.example' })

/** What the operations on operators record, in the log of the deployment. */
export const operatorKeyActs: Readonly<Record<string, Acts>> = {
  createOperator: {
    'records scopes and the masked address': async (world, begin) => {
      begin()
      const { id } = await addOperator(world, 'Ada')
      const changes = { name: { after: 'Ada' }, email: { after: 'a***@o***.example' } }
      const details = { scopes: ['users:read'], tenantIds: null }
      return [{ type: 'operator.created', ...anOperator(id), details, changes }]
    },
  },
  updateOperator: {
    'records what changes': async (world, begin) => {
      const { id } = await addOperator(world, 'Before')
      begin()
      await world.admin.updateOperator({ operatorId: id }, { name: 'After' })
      const changes = { name: { before: 'Before', after: 'After' } }
      return [{ type: 'operator.updated', ...anOperator(id), changes }]
    },
    'records nothing when nothing changes': async (world, begin) => {
      const { id } = await addOperator(world, 'Same')
      begin()
      await world.admin.updateOperator({ operatorId: id }, { name: 'Same' })
      return []
    },
  },
  rotateOperatorKey: {
    'records the overlap': async (world, begin) => {
      const { id } = await addOperator(world, 'Rotated')
      begin()
      await world.admin.rotateOperatorKey({ operatorId: id }, { overlapHours: 1 })
      return [{ type: 'operator.rotated', ...anOperator(id), details: { overlapHours: 1 } }]
    },
  },
  revokeOperator: {
    'records the revocation': async (world, begin) => {
      const { id } = await addOperator(world, 'Revoked')
      begin()
      await world.admin.revokeOperator({ operatorId: id })
      return [{ type: 'operator.revoked', ...anOperator(id) }]
    },
  },
}
