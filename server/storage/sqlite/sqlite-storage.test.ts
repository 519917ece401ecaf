import { storageSuite } from '../storage-suite.ts'
import { openTestStorage } from './open-test-storage.ts'

storageSuite('SQLite', openTestStorage)
