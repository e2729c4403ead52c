// SPDX-License-Identifier: GPL-3.0-or-later
// The data of test_json_schema.cpp, in a file of its own as Qt's moc cannot read it.
#pragma once

#include <QByteArray>
#include <QList>

namespace waferpair::grammar {

struct SchemaCase {
  const char* name;
  QByteArray schema;
  QList<QByteArray> yes;  // texts that match
  QList<QByteArray> no;
};

struct BadSchema {
  const char* name;
  QByteArray schema;
  QByteArray part;  // of the error
};

// One of which a part cannot be kept to.
struct LaxSchema {
  QByteArray schema;
  QByteArray told;
  QList<QByteArray> yes = {};  // texts that match the rest
  QList<QByteArray> no = {};
};

QList<QByteArray> schemas();
QList<LaxSchema> laxSchemas();
QList<SchemaCase> schemaCases();
QList<BadSchema> badSchemas();

}  // namespace waferpair::grammar
